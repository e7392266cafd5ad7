"""What GitHub's own records say about an attempt: each rule one pure function, tested by itself."""
