import type { Attributes } from '../../positions/fix.ts'

/**
 * Four bytes of status as hex: an alarm is a bit that is 0; one of them is reported, in the vendor's order. Ignition is bit 10; 1 is on.
 */
export function statusOf(hex: string): Attributes {
  const status = Number.parseInt(hex, 16)
  const isLow = (bit: number) => ((status >>> bit) & 1) === 0
  const alarm = isLow(0) ? 'vibration' : isLow(1) || isLow(18) ? 'sos' : isLow(2) ? 'overspeed' : isLow(19) ? 'powerCut' : null
  return { status, ignition: !isLow(10), ...(alarm ? { alarm } : {}) }
}

/** The battery: 1 to 6 are levels, above that per cent; from 0xF1 on per cent again, nearly empty. */
export function batteryOf(value: number): Attributes {
  if (value >= 1 && value <= 3) return { batteryLevel: (value - 1) * 10 }
  if (value >= 4 && value <= 6) return { batteryLevel: (value - 1) * 20 }
  if (value > 6 && value <= 100) return { batteryLevel: value }
  return value >= 0xf1 && value <= 0xf6 ? { batteryLevel: value - 0xf0 } : {}
}
