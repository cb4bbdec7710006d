print("reactor")
