// Loaded into the server with `--import`. The launcher holds the other end of the server's stdin,
// so when the launcher dies in whatever way (also by SIGKILL), the stream ends and so do we.

// The server starts its own children with the options of its own node. They must not load this.
process.execArgv = [];

process.stdin.on("close", () => {
  try {
    if (process.platform !== "win32") process.kill(-process.pid, "SIGKILL");
  } finally {
    process.exit(1);
  }
});
process.stdin.resume();
