internal import ImportCLI

ImportProgram.main()
