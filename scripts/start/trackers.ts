import type { Ready } from './program.ts'

/** The lines that show the addresses for trackers, and the ports that could not be opened. */
export function trackerLines({ ports, closed }: Pick<Ready, 'ports' | 'closed'>): string[] {
  const open = new Set(ports.map(({ protocol, port }) => `${protocol} ${port}`))
  const said = open.size === 0 ? [] : [`  trackers  ${[...open].join(', ')}; npm run simulate drives the demo's vehicles`]
  return [...said, ...closedLines(closed)]
}

/** Lines about ports that could not be opened, the reason, and the remedy; everything else continues without them. */
export function closedLines(closed: Ready['closed']): string[] {
  return closed.map(({ protocol, transport, port, reason }) => {
    const why = reason === 'EADDRINUSE' ? 'another program has it: stop that one' : `${reason}: see to it`
    return `  no ${protocol}  trackers cannot reach port ${port} (${transport}): ${why}, or choose ports with DEVICE_PORTS, and start again; the rest goes on without it`
  })
}
