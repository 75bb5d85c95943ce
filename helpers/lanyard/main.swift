import LanyardCommand

runLanyard()
