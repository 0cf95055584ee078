"""The certificate: an answer with its proof, and the checker that trusts no engine."""
