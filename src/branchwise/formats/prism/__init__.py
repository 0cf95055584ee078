"""Problems as Markov decision processes in the language of PRISM and Storm."""
