internal import CHeap

/// What the dynamic linker reads of a program and its libraries: names, relocations, tables for unwinding.
enum LoaderData {
  /// Lets go of it, and of all other constants: a fifth of what is resident in a short run. What is needed again comes
  /// back. Called where most is resident that is not needed: behind the loader's work, and before the first request.
  static func giveBack() {
    reactor_constants_are_given_back()
  }
}
