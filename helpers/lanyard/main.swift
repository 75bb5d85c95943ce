import LanyardCommand

await runLanyard()
