import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import type { KeptKind } from '@outpost/contract/sync/kept-kinds'

const ownEntry = fileURLToPath(new URL('./store-entry.ts', import.meta.url))

/** Builds a page into `folder` that holds the device's store as globals; with `kinds` it keeps those instead of the product's. */
export async function buildStorePage(folder: string, kinds?: readonly KeptKind[], entry = ownEntry): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'error',
    plugins: kinds ? [keepingKinds(kinds)] : [],
    build: {
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: {
        input: entry,
        output: { entryFileNames: 'store.js' },
      },
    },
  })
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>store</title><script type="module" src="/store.js"></script>')
}

const keepingKinds = (kinds: readonly KeptKind[]) => ({
  name: 'kept-kinds',
  enforce: 'pre' as const,
  load: (id: string) => (id.endsWith('/kinds.generated.ts') ? `export const generatedKinds = ${JSON.stringify(kinds)}` : null),
})
