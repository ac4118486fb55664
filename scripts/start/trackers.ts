import type { Ready } from './program.ts'

/** Where trackers may report to, in words for the terminal; nothing where no port is open. */
export function trackerLines(ports: Ready['ports']): string[] {
  const open = new Set(ports.map(({ protocol, port }) => `${protocol} ${port}`))
  return open.size === 0 ? [] : [`  trackers  ${[...open].join(', ')}; npm run simulate drives the demo's vehicles`]
}
