"""What one record comes to, family by family, before it is counted or shown. Pure."""
