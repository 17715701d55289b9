import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { Icon, type IconName } from './icon.tsx';

type ButtonProps = {
  readonly children: ReactNode;
  readonly look?: 'primary' | 'danger' | 'plain';
  readonly icon?: IconName;
  readonly isDisabled?: boolean;
  readonly submits?: boolean;
  readonly autoFocus?: boolean;
  readonly onPress?: () => void;
};

/** A button with a text, and perhaps an icon before it. */
export function Button({ children, look, icon, submits = false, onPress, ...rest }: ButtonProps) {
  return (
    <AriaButton
      {...rest}
      {...(onPress && { onPress })}
      type={submits ? 'submit' : 'button'}
      className={look ? `button ${look}` : 'button'}
    >
      {icon && <Icon name={icon} />}
      {children}
    </AriaButton>
  );
}

type IconButtonProps = Pick<ButtonProps, 'isDisabled' | 'onPress'> & {
  readonly icon: IconName;
  readonly label: string;
  readonly slot?: string;
  /** Tells if the part of the page that the button opens is open. */
  readonly isExpanded?: boolean;
};

/** A button that shows only an icon. `label` names it for screen readers. */
export function IconButton({ icon, label, onPress, isExpanded, ...rest }: IconButtonProps) {
  return (
    <AriaButton
      {...rest}
      {...(onPress && { onPress })}
      {...(isExpanded !== undefined && { 'aria-expanded': isExpanded })}
      aria-label={label}
      className="button plain icon"
    >
      <Icon name={icon} />
    </AriaButton>
  );
}
