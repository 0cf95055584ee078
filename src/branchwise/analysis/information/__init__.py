"""The value of information: what it is worth to know outcomes in advance."""
