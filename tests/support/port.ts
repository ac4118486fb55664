import { createServer } from 'node:net'

/** Ports below those that the system gives out by itself (32768 on), so that nobody else gets one while its server is away; each process has its own. */
const [lowest, each, shares] = [12_000, 100, 200]
let next = 0

/** A port that is free now and stays so: a server that is killed and started again keeps its address. Throws when all are taken. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < each; tries += 1) {
    const port = lowest + (process.pid % shares) * each + (next++ % each)
    if (await isFree(port)) return port
  }
  throw new Error(`None of ${each} ports is free`)
}

const isFree = (port: number) =>
  new Promise<boolean>((done) => {
    const server = createServer().once('error', () => done(false))
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)))
  })
