internal import ReactorCLI

Program.main()
