import { useRef } from 'react'
import type { ReactNode } from 'react'
import { Modal } from 'antd'
import { useBlocker } from '@tanstack/react-router'
import { t } from '../../../session/labels.ts'

/** Asks before unsaved changes are left behind, naming them; `release` lets the next navigation through (after saving). */
export function useLeaveGuard(isDirty: boolean, changed: () => string[]): { release: () => void; dialog: ReactNode } {
  const isReleased = useRef(false)
  const isGuarding = () => isDirty && !isReleased.current
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isGuarding() && current.pathname !== next.pathname,
    enableBeforeUnload: isGuarding,
    withResolver: true,
  })
  const dialog =
    blocker.status === 'blocked' ? (
      <Modal
        open
        title={t('Leave without saving?')}
        okText={t('Leave')}
        okButtonProps={{ danger: true }}
        cancelText={t('Stay here')}
        onOk={blocker.proceed}
        onCancel={blocker.reset}
      >
        <p>{t('These fields have changes that are not saved:')}</p>
        <ul className="leave-list">
          {changed()
            .slice(0, 12)
            .map((label) => (
              <li key={label}>{label}</li>
            ))}
        </ul>
      </Modal>
    ) : null
  return {
    release: () => {
      isReleased.current = true
    },
    dialog,
  }
}
