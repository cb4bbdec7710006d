print("demo-api")
