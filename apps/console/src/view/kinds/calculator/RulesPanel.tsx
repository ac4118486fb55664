import type { Calculator, RuleDefinition, RuleSet } from '@outpost/rules/calculators/index'
import { t } from '../../../session/labels.ts'
import { formatMoney, formatNumber } from '../../formats.ts'
import { Unverified } from './Steps.tsx'

interface RulesPanelProps {
  calculator: Calculator
  ruleSet: RuleSet
  currency: string
}

/** The rules behind the sum: since when, whose, and where each figure comes from. */
export function RulesPanel({ calculator, ruleSet, currency }: RulesPanelProps) {
  const shown = calculator.rules.filter(({ key }) => ruleSet.values[key] !== null && ruleSet.values[key] !== undefined)
  const isOurs = ruleSet.id.startsWith('default-')
  return (
    <details className="form-card calculator-rules">
      <summary>
        <h2>{t('Rules in force')}</h2>
        <span>
          {ruleSet.country === '*' ? t('General') : ruleSet.country} · {t(isOurs ? 'the program’s' : 'your company’s')} · {t('version')}{' '}
          {ruleSet.version}
          {isOurs ? '' : ` · ${t('from')} ${ruleSet.effectiveFrom}`}
        </span>
        {ruleSet.unverified.length > 0 ? (
          <span className="calculator-warning">
            {ruleSet.unverified.length} {t(ruleSet.unverified.length === 1 ? 'figure is not confirmed' : 'figures are not confirmed')}
          </span>
        ) : null}
      </summary>
      {ruleSet.verifiedBy ? (
        <p>
          {t('Confirmed by')} {ruleSet.verifiedBy}
        </p>
      ) : null}
      {ruleSet.unverified.length > 0 ? (
        <p className="calculator-warning">
          {t(
            'Figures marked “not confirmed” come from no source we could read. A lawyer of the country has to confirm them; an administrator enters that under Calculator rules.',
          )}
        </p>
      ) : null}
      <dl className="calculator-rule-list">
        {shown.map((rule) => (
          <div key={rule.key}>
            <dt>
              {t(rule.label)}
              {ruleSet.unverified.some((key) => key === rule.key) ? <Unverified /> : null}
            </dt>
            <dd>
              <Value rule={rule} ruleSet={ruleSet} currency={currency} />
            </dd>
            {ruleSet.sources?.[rule.key] ? <dd className="calculator-formula">{ruleSet.sources[rule.key]}</dd> : null}
          </div>
        ))}
      </dl>
    </details>
  )
}

function Value({ rule, ruleSet: { values, unverified }, currency }: { rule: RuleDefinition; ruleSet: RuleSet; currency: string }) {
  const value = values[rule.key]
  if (Array.isArray(value)) {
    return (
      <ul className="calculator-bands">
        {value.map((band, index) => (
          <li key={band.from}>
            {t('above')} {formatMoney(band.from, currency)}: {formatMoney(band.factor, currency)} + {formatNumber(band.percent)} %
            {unverified.includes(`${rule.key}.${index}`) ? <Unverified /> : null}
          </li>
        ))}
      </ul>
    )
  }
  if (rule.kind === 'money') return formatMoney(value, currency)
  if (rule.kind === 'percent') return `${formatNumber(value)} %`
  if (rule.kind === 'choice') return t(rule.options?.find((option) => option.value === value)?.label ?? String(value))
  return String(value)
}
