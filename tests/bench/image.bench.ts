import { readFile } from 'node:fs/promises'
import { imageSize } from '../../scripts/image/size.ts'
import { machineLoad, median, rounded, rounds, spread, type Bench } from './support/figure.ts'

/** What an operator pays for: bytes of the image, how long a server takes until it may take traffic, and its memory then. */
export const bench: Bench = {
  name: 'image',
  leads: 1_000,
  run: async (house) => {
    const { packages, own } = await imageSize()
    const [starts, memory]: number[][] = [[], []]
    for (let round = 0; round < rounds; round += 1) {
      const start = performance.now()
      const server = await house.startServer(process.cwd())
      while ((await fetch(`${server.url}/readyz`)).status !== 200) await new Promise((done) => setTimeout(done, 20))
      starts?.push((performance.now() - start) / 1_000)
      memory?.push(Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${server.pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024)
      await server.stop()
    }
    const [took, held] = [starts ?? [], memory ?? []]
    const parts = `packages ${Math.round(packages / 1_000_000)} MB, ours ${Math.round(own / 1_000_000)} MB`
    return [
      {
        name: 'image without its base, unpacked',
        value: Math.round((packages + own) / 1_000_000),
        unit: 'MB',
        target: '<= 350',
        detail: parts,
      },
      {
        name: 'start of a server until it may take traffic',
        value: rounded(median(took)),
        unit: 's',
        detail: `${spread(took, ' s')}; ${machineLoad()}`,
      },
      { name: 'memory of a server that has just started', value: Math.round(median(held)), unit: 'MB', detail: spread(held, ' MB') },
    ]
  },
}
