internal import CHeap

/// How the heaps of this process grow.
enum HeapGrowth {
  /// Bytes of address space that a heap takes at once, which is all that one heap of a thread may take; memory is used
  /// only where it is touched.
  private static let step: CInt = 64 << 20

  /// Lets heaps grow in large steps. Call it before any other thread is started.
  ///
  /// glibc lets the heap of every thread but the first grow page by page, each with a system call that stops the page
  /// faults of all threads: 2,600 calls for a flow file of 1 MB, a seventh of the cycles of checking it.
  static func prepare() { reactor_heaps_grow_by(step) }
}
