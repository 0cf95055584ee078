"""Health economics: what plans cost and achieve, and which is worth its price."""
