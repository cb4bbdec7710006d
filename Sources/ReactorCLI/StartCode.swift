internal import CHeap

/// The code that only the start of the program needs.
enum StartCode {
  /// Lets go of all code that has run so far: the search for conformances, the parsing of the command line, and what
  /// libraries do when they are mapped touch more than a third of what is resident in a short run. What is needed again
  /// comes back. Called where most is resident that is not needed: behind the loader's work, and before the first request.
  ///
  /// A build for debugging keeps its breakpoints, so nothing is done there.
  static func giveBack() {
    #if !DEBUG
      reactor_code_is_given_back()
    #endif
  }
}
