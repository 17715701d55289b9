import tseslint from 'typescript-eslint';

// Type-aware rules about mistakes; taste is prettier's business.
export default tseslint.config(
  {
    ignores: [
      'build/**',
      '**/generated/**',
      '.config/**',
      'src/http/graphiql/*.js',
      'src/http/checkout/*.js',
    ],
  },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: process.cwd() } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/require-await': 'off',
      // The caller of a query says what it asked for.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      // Leaving a field out by a rest pattern names it.
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      '@typescript-eslint/consistent-type-definitions': 'off',
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read it from app.config.' },
      ],
      'no-console': 'error',
      'max-lines': ['error', { max: 300, skipBlankLines: false, skipComments: false }],
      'max-lines-per-function': ['error', { max: 60 }],
      'max-depth': ['error', 3],
    },
  },
  { files: ['test/**'], rules: { 'max-lines': ['error', 500], 'max-lines-per-function': 'off' } },
  { files: ['src/cli/**'], rules: { 'no-console': 'off' } },
);
