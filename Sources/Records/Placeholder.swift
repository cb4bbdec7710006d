// Filled by the first slice.
