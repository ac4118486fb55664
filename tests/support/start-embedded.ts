import { startEmbedded } from '@outpost/platform/db/cluster/embedded'

// A program to kill: starts Postgres on the given folder, prints its address and waits, or falls over.
const [dataDir, mode] = process.argv.slice(2)
if (!dataDir) throw new Error('Usage: start-embedded.ts <dataDir>')
console.log((await startEmbedded({ dataDir, fast: true })).adminUrl)
if (mode === 'fall') throw new Error('falling over')
setInterval(() => undefined, 60_000)
