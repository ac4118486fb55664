import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FileBackend } from './types.ts'

/** Files in a folder, two levels deep; a rename makes each file appear complete or not at all. */
export function diskBackend(folder: string): FileBackend {
  const place = (key: string) => join(folder, key.slice(0, 2), key)
  return {
    async put(path, key) {
      await mkdir(dirname(place(key)), { recursive: true, mode: 0o700 })
      await rename(path, place(key))
      await syncFolder(dirname(place(key)))
    },
    async open(key, range) {
      const found = await stat(place(key)).catch(() => undefined)
      if (!found) return undefined
      return { body: createReadStream(place(key), range ?? {}), size: found.size }
    },
    remove: (key) => rm(place(key), { force: true }),
  }
}

/** Without it a power cut may lose the name of a new file while its bytes are stored. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
