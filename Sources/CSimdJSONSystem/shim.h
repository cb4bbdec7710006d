/* The library is C++: CSimdJSON includes its header; this module only brings the link and the search paths. */
