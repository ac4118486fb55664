import { t } from '../../session/labels.ts'
import { formatDate } from '../../view/formats.ts'
import { formatAmount, paceOf, paceLabels, type BoardData, type Target } from './board.ts'

/** One target: what counts, how far it is, and a mark where it should be by now. */
export function TargetRow({ target, data, onOpen }: { target: Target; data: BoardData; onOpen: () => void }) {
  const { figures, value } = target
  const metric = data.metrics.find(({ key }) => key === target.metric)
  const pace = paceOf(target, metric?.isBurden)
  const label = t(metric?.label ?? target.metric)
  return (
    <li className="tg-row" data-pace={pace}>
      <div className="tg-what">
        <h3>
          <button type="button" className="tg-open" aria-haspopup="dialog" onClick={onOpen}>
            {label}
          </button>
        </h3>
        <p>
          {formatDate(target.startDate)} – {formatDate(target.endDate)}
          {target.product ? ` · ${target.product}` : ''}
          {target.parts > 0 ? ` · ${target.parts} ${t(target.parts === 1 ? 'part' : 'parts')}` : ''}
        </p>
      </div>
      <Bar target={target} label={`${label}, ${target.ownerName ?? ''}`} />
      <p className="tg-numbers">
        <strong>{formatAmount(figures.actual, figures.unit, data.currency)}</strong> / {formatAmount(value, figures.unit, data.currency)}
      </p>
      <p className="tg-percent">{Math.round(figures.attainment)} %</p>
      <p className="tg-pace">
        <span>{t(paceLabels[pace])}</span>
      </p>
    </li>
  )
}

/** Reached as a bar, expected as a mark on it. */
export function Bar({ target, label }: { target: Target; label: string }) {
  const { attainment, expected } = target.figures
  const mark = target.value === 0 ? 100 : Math.min(100, (expected / target.value) * 100)
  return (
    <div
      className="tg-bar"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.min(100, Math.round(attainment))}
      aria-valuetext={`${Math.round(attainment)} %`}
    >
      <span className="tg-fill" style={{ inlineSize: `${Math.min(100, attainment)}%` }} />
      {mark > 0 && mark < 100 && <span className="tg-mark" style={{ insetInlineStart: `${mark}%` }} title={t('Expected by today')} />}
    </div>
  )
}
