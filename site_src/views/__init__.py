"""Pages as data: what each template may see, and how it is made from reports. Nothing here computes."""
