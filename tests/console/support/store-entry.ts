import { openDatabase } from '../../../apps/console/src/offline/store/database.ts'
import { openStore } from '../../../apps/console/src/offline/store/store.ts'

// The product's own store, put where a test in the page can call it.
Object.assign(globalThis, { openDatabase, openStore })
