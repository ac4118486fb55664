import { describe, expect, it } from 'vitest'
import { newPace, portionSizes, sendPortions, type Portion, type PortionPorts } from './portions.ts'

const bytes = (length: number) => Uint8Array.from({ length }, (_, at) => at % 251).buffer
const timedOut = new Error('no answer in time')

/** An office that adds up what arrives; `msOf` says how long a portion takes. */
function office(length: number, { msOf = () => 100 as number }: { msOf?: (portion: Portion) => number } = {}) {
  const held: number[] = []
  const seen: number[] = []
  const told: number[] = []
  let [clock, fault]: [number, ((portion: Portion) => 'lost' | 'cut' | 'damaged' | undefined) | undefined] = [0, undefined]
  const arrived = () => ({ received: held.length, isStored: held.length === length })
  const ports: PortionPorts = {
    look: async () => arrived(),
    put: async (portion) => {
      clock += msOf(portion)
      const broken = fault?.(portion)
      if (broken === 'cut') throw timedOut
      if (portion.offset !== held.length) throw Object.assign(new Error('conflict'), { received: held.length })
      seen.push(portion.bytes.byteLength)
      for (const byte of new Uint8Array(portion.bytes)) held.push(byte)
      if (broken === 'damaged') held.length = 0
      if (broken === 'lost') throw timedOut
      return arrived()
    },
    receivedIn: (error) => (error as { received?: number }).received,
    now: () => clock,
    onProgress: (sent) => void told.push(sent),
  }
  return { ports, held, seen, told, breakWith: (next: typeof fault) => (fault = next) }
}

describe('a file in portions', () => {
  it('goes in larger ones on a quick line and in smaller ones on a slow line', async () => {
    const quick = office(3_000_000)
    await sendPortions(bytes(3_000_000), quick.ports, newPace())
    expect(quick.seen).toEqual([262_144, 524_288, 1_048_576, 1_048_576, 116_416])
    expect(quick.told).toEqual([0, 262_144, 786_432, 1_835_008, 2_883_584, 3_000_000])
    const slow = office(600_000, { msOf: (portion) => portion.bytes.byteLength / 8 })
    const line = newPace()
    await sendPortions(bytes(600_000), slow.ports, line)
    expect(line.size).toBe(portionSizes.smallest)
    expect(new Uint8Array(slow.held)).toEqual(new Uint8Array(bytes(600_000)))
  })

  it('goes on where it was cut, with smaller portions after one that found no answer', async () => {
    const { ports, held, seen, breakWith } = office(700_000, { msOf: ({ timeoutMs }) => timeoutMs })
    const line = newPace()
    breakWith(({ offset }) => (offset > 0 ? 'cut' : undefined))
    await expect(sendPortions(bytes(700_000), ports, line)).rejects.toBe(timedOut)
    expect(held.length).toBe(262_144)
    breakWith(undefined)
    await sendPortions(bytes(700_000), ports, line)
    expect(held.length).toBe(700_000)
    expect(Math.max(...seen.slice(1))).toBe(32_768)
  })

  it('is not sent twice where the answer was lost, and follows what the office says that it has', async () => {
    const { ports, held, breakWith } = office(600_000)
    breakWith(() => 'lost')
    await expect(sendPortions(bytes(600_000), ports, newPace())).rejects.toBe(timedOut)
    breakWith(undefined)
    await sendPortions(bytes(600_000), { ...ports, look: async () => ({ received: 0, isStored: false }) }, newPace())
    expect(new Uint8Array(held)).toEqual(new Uint8Array(bytes(600_000)))
  })

  it('gives up for now when the bytes are damaged again and again', async () => {
    const { ports, breakWith } = office(50_000)
    breakWith(() => 'damaged')
    await expect(sendPortions(bytes(50_000), ports, newPace())).rejects.toThrow('does not arrive')
  })
})
