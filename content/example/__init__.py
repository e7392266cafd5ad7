"""The parts of `generate.py`: a made-up shop application, made-up arms, and what they made of it."""
