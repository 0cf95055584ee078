"""Options and arguments that several verbs take alike."""
