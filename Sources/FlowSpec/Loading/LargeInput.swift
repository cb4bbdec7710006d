internal import CHeap

/// What is done differently for flow files of many hundred flows.
enum LargeInput {
  /// Bytes of a file from which on large pages pay: its tree takes some thirty times as much memory, and touching that
  /// by pages of 4 KiB costs a quarter of the cycles of reading it.
  static let leastBytes = 256 << 10

  /// Has the calling thread allocate from large pages.
  static func prepareThread() { reactor_heap_takes_large_pages() }
}
