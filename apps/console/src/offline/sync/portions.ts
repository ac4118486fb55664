/** What a portion needs to be known by: its place, and the whole file that it is of. */
export interface Portion {
  offset: number
  bytes: ArrayBuffer
  timeoutMs: number
}
/** How far a file has come at the office, and whether it is stored there. */
export interface Arrived {
  received: number
  isStored: boolean
}
export interface PortionPorts {
  /** Asks the office how far the file has come. */
  look(): Promise<Arrived>
  /** Sends a portion. Throws what the call throws. */
  put(portion: Portion): Promise<Arrived>
  /** What a thrown error says the office has; undefined when it says nothing of it. */
  receivedIn(error: unknown): number | undefined
  now(): number
  /** Told after each portion, in bytes. */
  onProgress(sent: number): void
}

/** Bytes of a portion: on a line of 64 kbit the smallest takes 4 s, on one of 1 Mbit the largest 8 s. */
export const portionSizes = { first: 262_144, smallest: 32_768, largest: 1_048_576 } as const
/** A portion without an answer by then is sent again, in smaller ones; a half-open line is noticed so. */
const timeoutMs = 30_000
/** Milliseconds between which a portion is of the right size. */
const pace = { quick: 2_000, slow: 8_000 } as const
/** So often the office may say that it has other bytes than we think. */
const maxCorrections = 3

/** The size that fits the line; kept from file to file, for the line is the same. */
export interface Pace {
  size: number
}
export const newPace = (): Pace => ({ size: portionSizes.first })

const within = (size: number): number => Math.min(Math.max(size, portionSizes.smallest), portionSizes.largest)

/**
 * Sends a file in portions from where the office has it, each as large as the line carries in some seconds. What was cut off goes
 * on there, after a restart as well. Throws what a portion throws, and when the bytes do not arrive as they are.
 */
export async function sendPortions(bytes: ArrayBuffer, ports: PortionPorts, line: Pace): Promise<void> {
  let [{ received, isStored }, corrections] = [await ports.look(), 0]
  while (!isStored) {
    ports.onProgress(received)
    const before = received
    ;({ received, isStored } = await putOrCorrect(
      { offset: before, bytes: bytes.slice(before, before + line.size), timeoutMs },
      ports,
      line,
    ))
    if (!isStored && received <= before && ++corrections > maxCorrections)
      throw new Error('The photo does not arrive as it is. It is tried again later.')
  }
  ports.onProgress(bytes.byteLength)
}

async function putOrCorrect(portion: Portion, ports: PortionPorts, line: Pace): Promise<Arrived> {
  const start = ports.now()
  try {
    const arrived = await ports.put(portion)
    const took = ports.now() - start
    if (took < pace.quick && portion.bytes.byteLength === line.size) line.size = within(line.size * 2)
    if (took > pace.slow) line.size = within(line.size / 2)
    return arrived
  } catch (error) {
    const received = ports.receivedIn(error)
    if (received !== undefined) return { received, isStored: false }
    if (ports.now() - start >= timeoutMs) line.size = within(line.size / 4)
    throw error
  }
}
