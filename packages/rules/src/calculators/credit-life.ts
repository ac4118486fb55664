import { roundMoney, type Decimal, type DecimalValue } from '../money.ts'

/** Monthly premium of credit life cover: outstanding ÷ 1,000 × rate (South Africa: at most R4.50 for unsecured credit). */
export function creditLifePremium(outstanding: Decimal, perThousand: DecimalValue): Decimal {
  return roundMoney(outstanding.dividedBy(1_000).times(perThousand))
}
