/** A part of a distributed amount. */
export interface Share {
  amount: number
  /** Its exact share before rounding down, for display. */ exact: number
}
export interface Distribution {
  shares: Share[]
  /** The remainder of rounding, not assigned yet. */ residual: number
}

/**
 * Splits an amount by weights (two decimals count), each share rounded down to the unit (`decimals`), in whole minor units so that
 * nothing is lost: the shares and the residual always add up to the total. Equal shares when all weights are zero.
 */
export function distribute(total: number, weights: readonly number[], decimals: number): Distribution {
  const scale = 10 ** decimals
  const minor = Math.round(total * scale)
  const whole = weights.map((weight) => BigInt(Math.round(weight * 100)))
  const sum = whole.reduce((all, weight) => all + weight, 0n)
  const [parts, all] = sum > 0n ? [whole, sum] : [weights.map(() => 1n), BigInt(weights.length)]
  const shares = parts.map((part) => ({
    amount: Number((BigInt(minor) * part) / all),
    exact: (minor * Number(part)) / Number(all) / scale,
  }))
  const given = shares.reduce((all, share) => all + share.amount, 0)
  return { shares: shares.map(({ amount, exact }) => ({ amount: amount / scale, exact })), residual: (minor - given) / scale }
}

/** Distributes the residual, one unit each to those who lost most by rounding; the shares then add up to the total. */
export function spreadResidual({ shares, residual }: Distribution, decimals: number): Distribution {
  const scale = 10 ** decimals
  const loss = (share: Share) => share.exact - share.amount
  const order = shares.map((share, index) => ({ index, loss: loss(share) })).toSorted((a, b) => b.loss - a.loss || a.index - b.index)
  const units = Math.round(residual * scale)
  const extra = new Set(order.slice(0, Math.max(0, units)).map(({ index }) => index))
  return {
    shares: shares.map((share, index) => (extra.has(index) ? { ...share, amount: Math.round(share.amount * scale + 1) / scale } : share)),
    residual: (units - extra.size) / scale,
  }
}

/** The rest of a total after the parts, exact to the cent. */
export function residualOf(total: number, parts: readonly number[]): number {
  return (Math.round(total * 100) - parts.reduce((sum, part) => sum + Math.round(part * 100), 0)) / 100
}
