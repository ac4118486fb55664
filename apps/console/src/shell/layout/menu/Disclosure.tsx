import { Suspense, useEffect, useId, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { t } from '../../../session/labels.ts'

interface DisclosureProps {
  /** Name of the button for those who do not see it. */
  label: string
  button: ReactNode
  className?: string
  panelClass?: string
  hasPanelLabel?: boolean
  onOpen?: () => void
  children: (close: () => void) => ReactNode
}

/**
 * A button with a panel that follows it in reading order: Tab walks into it, Escape and a click elsewhere close it and
 * the focus goes back to the button.
 */
export function Disclosure({
  label,
  button,
  className = 'o-top-button',
  panelClass = '',
  hasPanelLabel = true,
  onOpen,
  children,
}: DisclosureProps) {
  const [isOpen, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  const close = (): void => {
    setOpen(false)
    box.current?.querySelector<HTMLElement>('button')?.focus()
  }
  useCloseOutside(box, isOpen, () => setOpen(false))
  const toggle = (): void => {
    if (!isOpen) onOpen?.()
    setOpen(!isOpen)
  }
  return (
    <div
      className="o-disclosure"
      ref={box}
      role="presentation"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return
        event.stopPropagation()
        close()
      }}
    >
      <button type="button" className={className} aria-expanded={isOpen} aria-controls={isOpen ? id : undefined} onClick={toggle}>
        <span aria-hidden="true" className="o-disclosure-face">
          {button}
        </span>
        <span className="o-hidden">{label}</span>
      </button>
      {isOpen && (
        <div
          id={id}
          className={`o-panel ${panelClass}`}
          role={hasPanelLabel ? 'region' : undefined}
          aria-label={hasPanelLabel ? label : undefined}
        >
          <Suspense fallback={<div className="o-panel-wait" role="status" aria-label={t('Loading')} />}>
            <Inside draw={children} close={close} />
          </Suspense>
        </div>
      )}
    </div>
  )
}

const Inside = ({ draw, close }: { draw: DisclosureProps['children']; close: () => void }) => draw(close)

function useCloseOutside(box: React.RefObject<HTMLElement | null>, isOpen: boolean, close: () => void): void {
  useEffect(() => {
    if (!isOpen) return
    const leave = (event: Event): void => {
      const target = event.target
      // A dialog or select opened from the panel lives at the end of the page and belongs to it.
      if (!(target instanceof Element) || box.current?.contains(target) || target.closest('.ant-modal-root, .ant-select-dropdown')) return
      close()
    }
    document.addEventListener('pointerdown', leave)
    document.addEventListener('focusin', leave)
    return () => {
      document.removeEventListener('pointerdown', leave)
      document.removeEventListener('focusin', leave)
    }
  }, [box, isOpen, close])
}
