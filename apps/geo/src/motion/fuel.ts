/** Fuel values of a device: litres used in total, litres in the tank, percent of the tank. */
export interface Fuel {
  fuelUsed?: number | null
  fuel?: number | null
  fuelLevel?: number | null
}

/** Litres used between two messages: by the counter, else by the tank, else by its percentage; null when none is known. */
export function fuelSpent(first: Fuel, last: Fuel, tank: number | null): number | null {
  const litres =
    difference(last.fuelUsed, first.fuelUsed) ??
    difference(first.fuel, last.fuel) ??
    ofTank(difference(first.fuelLevel, last.fuelLevel), tank)
  return litres === null ? null : Math.round(litres * 1_000) / 1_000
}

const difference = (from: number | null | undefined, minus: number | null | undefined): number | null =>
  from == null || minus == null ? null : from - minus
const ofTank = (percent: number | null, tank: number | null): number | null =>
  percent === null || tank === null ? null : (percent * tank) / 100
