import type { Log } from '@outpost/platform/log'
import type { IngestServices } from './services.ts'
import { httpProtocol, protocols } from '../protocols.ts'
import { listenTcp, type Listener } from './tcp.ts'
import { listenUdp } from './udp.ts'

export interface DevicePort {
  protocol: string
  port: number
  isMirror: boolean
}

/** Parses "teltonika:5027,gt06:5023:mirror", or "none"; errors name the entry. */
export function parsePorts(text: string): { ports: DevicePort[]; problems: string[] } {
  const entries = text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && one !== 'none')
  const problems: string[] = []
  const ports = entries.flatMap((entry): DevicePort[] => {
    const [protocol = '', port = '', mode] = entry.split(':')
    const known = [...protocols.keys(), httpProtocol]
    if (!known.includes(protocol)) problems.push(`${entry}: the protocol must be one of ${known.join(', ')}`)
    else if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) problems.push(`${entry}: needs a port, like ${protocol}:5027`)
    else if (mode !== undefined && (mode !== 'mirror' || protocol === httpProtocol))
      problems.push(`${entry}: the only third part is mirror, and not over HTTP`)
    else return [{ protocol, port: Number(port), isMirror: mode === 'mirror' }]
    return []
  })
  return { ports, problems }
}

export interface PortsOptions {
  ports: readonly DevicePort[]
  host: string
  perAddress: number
  maxSockets: number
  /** Balancers that send a PROXY protocol header before what a device says over TCP. */
  proxies: readonly string[]
  log: Log
  /** Opens a port for HTTP. */
  listenHttp: (at: { port: number; host: string }) => Promise<Listener>
}

export interface OpenPort extends Listener {
  protocol: string
  transport: 'tcp' | 'udp' | 'http'
}
/** A port that could not be opened; the reason is the system's code, EADDRINUSE when another program has it. */
export type ClosedPort = Pick<OpenPort, 'protocol' | 'transport' | 'port'> & { reason: string }

/** Opens the ports for devices. A taken port is reported and skipped, so that the others work. */
export async function openPorts(
  ingestServices: IngestServices,
  options: PortsOptions,
): Promise<{ open: OpenPort[]; closed: ClosedPort[] }> {
  const wanted = options.ports.flatMap((port) => doors(ingestServices, port, options).map((door) => ({ ...door, port: port.port })))
  const tried = await Promise.all(
    wanted.map(async ({ open, ...door }): Promise<OpenPort | ClosedPort> => {
      try {
        return { ...door, ...(await open()) }
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException
        options.log.warn({ reason: message }, `no devices over ${door.protocol} (${door.transport})`)
        return { ...door, reason: code ?? message }
      }
    }),
  )
  return { open: tried.filter((port) => 'close' in port), closed: tried.filter((port) => 'reason' in port) }
}

interface Door {
  protocol: string
  transport: OpenPort['transport']
  open: () => Promise<Listener>
}

function doors(
  ingestServices: IngestServices,
  { protocol: name, port, isMirror }: DevicePort,
  { host, perAddress, maxSockets, proxies, listenHttp }: PortsOptions,
): Door[] {
  const at = { port, host }
  if (name === httpProtocol) return [{ protocol: name, transport: 'http', open: () => listenHttp(at) }]
  const codec = protocols.get(name)
  if (!codec) return []
  const tcp: Door = {
    protocol: name,
    transport: 'tcp',
    open: () => listenTcp(ingestServices, at, { codec, isMirror, perAddress, maxSockets, proxies }),
  }
  if (!codec.readDatagram) return [tcp]
  return [tcp, { protocol: name, transport: 'udp', open: () => listenUdp(ingestServices, at, { codec, isMirror }) }]
}
