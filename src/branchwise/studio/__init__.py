"""The studio: a page to build a problem by hand and see its plan change."""
