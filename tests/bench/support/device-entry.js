import { localEntity } from '../../../apps/console/src/offline/local-entity.ts'
import { setCurrentOffline } from '../../../apps/console/src/offline/current.ts'
import { openStore } from '../../../apps/console/src/offline/store/store.ts'
import { createLoop } from '../../../apps/console/src/offline/sync/loop.ts'
import { classifyFileError, fileSender, pull, push, refusalOf } from '../../../apps/console/src/offline/sync/transport.ts'
import { storeSession } from '../../../apps/console/src/session/token.ts'

// The product's own store, loop and calls, put where the bench in the page can call them.
Object.assign(globalThis, {
  openStore,
  device: { localEntity, setCurrentOffline, openStore, createLoop, classifyFileError, fileSender, pull, push, refusalOf, storeSession },
})
