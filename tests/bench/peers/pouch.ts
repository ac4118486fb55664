import { mkdirSync } from 'node:fs'
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'

/**
 * CouchDB's protocol as pouchdb-server gives it: express-pouchdb over LevelDB, in POUCH_FOLDER. It checks no rights, merges nothing and
 * does not wait for the disk. Its packages are its own (pouch/package.json).
 */
const { POUCH_FOLDER: folder = '' } = process.env
const load = createRequire(new URL('./pouch/package.json', import.meta.url))
interface App {
  use(middleware: unknown): void
  listen(port: number, host: string, done: () => void): Server
}
const [express, pouch, expressPouch] = ['express', 'pouchdb', 'express-pouchdb'].map((name) => load(name) as unknown) as [
  () => App,
  { defaults(options: object): unknown },
  (pouch: unknown, options: object) => unknown,
]
mkdirSync(folder, { recursive: true })
const app = express()
app.use(expressPouch(pouch.defaults({ prefix: `${folder}/` }), { mode: 'minimumForPouchDB', inMemoryConfig: true }))
process.once('disconnect', () => process.exit())
const server = app.listen(0, '127.0.0.1', () => process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }))
