import { openDatabase } from '../../../apps/console/src/offline/store/database.ts'
import { openStore } from '../../../apps/console/src/offline/store/store.ts'
import { createLoop } from '../../../apps/console/src/offline/sync/loop.ts'

// The product's own store and loop, put where a test in the page can call them.
Object.assign(globalThis, { createLoop, openDatabase, openStore })
