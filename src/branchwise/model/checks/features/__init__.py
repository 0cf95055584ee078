"""What is wrong with what states hold besides outcomes, or can hardly be meant."""
