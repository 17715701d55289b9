import { Button } from '../../design/button.tsx';
import { binder, SelectField, TextField, useMistake } from '../../design/form/field.tsx';
import { texts } from '../../texts/texts.ts';
import { meansOf } from '../payments/method.tsx';
import { freeSchemes, nextProfile, PROFILE_TEXTS, type Profile, type ProfileText } from './profile.ts';

const { profile: words } = texts.services;

type ProfileFieldsProps = {
  readonly value: readonly Profile[];
  readonly onChange: (profiles: readonly Profile[]) => void;
};

/** The merchant's profile at each card scheme. The provider sends it with an authentication. */
export function ProfileFields({ value: profiles, onChange }: ProfileFieldsProps) {
  const [free] = freeSchemes(profiles);
  return (
    <>
      <h3 className="form-part">{texts.services.details.profile}</h3>
      <p className="quiet">{words.text}</p>
      {profiles.map((profile, at) => (
        <SchemeFields
          // The scheme of a profile may change while its select has the focus.
          key={at}
          {...{ profile, profiles, at }}
          onChange={(next) => onChange(profiles.with(at, next))}
          onRemove={() => onChange(profiles.toSpliced(at, 1))}
        />
      ))}
      {free && (
        <div>
          <Button icon="plus" onPress={() => onChange([...profiles, nextProfile(profiles, free)])}>
            {words.add}
          </Button>
        </div>
      )}
      <span className="mistake" role="alert">
        {useMistake('merchantProfile')}
      </span>
    </>
  );
}

/** The name of a card scheme, such as `Visa`. */
export const schemeName = (scheme: Profile['scheme']): string =>
  scheme === 'OTHER' ? words.other : meansOf({ method: scheme.toLowerCase(), card: null });

type SchemeProps = {
  readonly profile: Profile;
  readonly profiles: readonly Profile[];
  /** The place of the profile in the input. */
  readonly at: number;
  readonly onChange: (profile: Profile) => void;
  readonly onRemove: () => void;
};

function SchemeFields({ profile, profiles, at, onChange, onRemove }: SchemeProps) {
  const bind = binder(profile, onChange, `merchantProfile.${at}.`);
  const name = schemeName(profile.scheme);
  return (
    <fieldset className="profile" aria-label={name}>
      <div className="profile-head">
        <SelectField
          {...bind('scheme')}
          label={words.scheme}
          options={freeSchemes(profiles, profile.scheme).map((each) => [each, schemeName(each)])}
        />
        <Button icon="trash" onPress={onRemove}>
          {words.remove(name)}
        </Button>
      </div>
      <div className="profile-texts">
        {(Object.keys(PROFILE_TEXTS) as readonly ProfileText[]).map((key) => (
          <TextField
            key={key}
            {...bind(key)}
            label={words.field[key]}
            hint={HINTS[key]}
            required
            maxLength={PROFILE_TEXTS[key]}
            inputMode={key in HINTS ? 'numeric' : 'text'}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** The forms of the numeric texts. */
const HINTS: Readonly<Partial<Record<ProfileText, string>>> = {
  merchantCountryCode: words.countryHint,
  merchantCategoryCode: words.categoryHint,
};
