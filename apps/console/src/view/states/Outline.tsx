import { range } from 'es-toolkit/math/range'
import type { ScreenShape } from '@outpost/contract/console'
import { t } from '../../session/labels.ts'
import '../view.css'
import './outline.css'

/** The heading of a screen that is known already, over the outline of what comes. */
export function ScreenOutline({ title, shape }: { title: string | undefined; shape: ScreenShape }) {
  return (
    <div className="o-wait">
      <header className="view-header">
        <div className="view-header-title">{title ? <h1 tabIndex={-1}>{t(title)}</h1> : <span className="o-wait-title" />}</div>
      </header>
      <Outline shape={shape} />
    </div>
  )
}

/** Stands where a view will be, in its shape. */
export function Outline({ shape }: { shape: ScreenShape }) {
  return (
    <div className="outline" data-shape={shape} role="status" aria-label={t('Loading')}>
      {outlines[shape]()}
    </div>
  )
}

const outlines: Record<ScreenShape, () => React.ReactNode> = {
  list: () => (
    <>
      <div className="outline-bar">
        <i className="outline-search" />
        <i className="outline-button" />
        <i className="outline-button" />
      </div>
      <div className="outline-card outline-rows">
        {range(12).map((row) => (
          <div key={row}>
            <i />
            <i />
            <i />
            <i />
          </div>
        ))}
      </div>
    </>
  ),
  form: () => (
    <div className="outline-card outline-fields">
      {range(6).map((field) => (
        <div key={field}>
          <i className="outline-label" />
          <i className="outline-input" />
        </div>
      ))}
    </div>
  ),
  detail: () => (
    <div className="outline-columns">
      <div className="outline-card outline-facts">
        {range(10).map((fact) => (
          <div key={fact}>
            <i className="outline-label" />
            <i className="outline-line" />
          </div>
        ))}
      </div>
      <div className="outline-card outline-facts">
        {range(5).map((entry) => (
          <div key={entry}>
            <i className="outline-line" />
          </div>
        ))}
      </div>
    </div>
  ),
  board: () => (
    <div className="outline-tiles">
      {range(8).map((tile) => (
        <div key={tile} className="outline-card" data-large={tile > 3 || undefined}>
          <i className="outline-label" />
          <i className="outline-figure" />
        </div>
      ))}
    </div>
  ),
  page: () => <div className="outline-card outline-page" />,
}

/** The outline of a kind of view that says it by itself. */
export const shapeOfKind = (kind: string): ScreenShape =>
  kind === 'list' || kind === 'form' || kind === 'detail'
    ? kind
    : kind === 'dashboard'
      ? 'board'
      : kind === 'report' || kind === 'calculator'
        ? 'form'
        : 'page'
