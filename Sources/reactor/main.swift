internal import ReactorCLI

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

let program = Program.live()
exit(await program.run())
