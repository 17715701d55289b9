import { Argument, type Command } from 'commander';
import type { DemoOptions } from '../run/demo.ts';
import type { DoctorOptions } from '../run/doctor.ts';
import type { ListenOptions } from '../run/listen.ts';
import type { QueryOptions } from '../run/query.ts';
import type { FollowOptions } from '../service/follow.ts';
import type { TriggerOptions } from '../run/trigger.ts';
import { examples, JSON_OPTION, withAccess } from './words.ts';

/** Adds the commands of a developer who connects a shop. Each loads its own code when it runs. */
export function addDevelopCommands(program: Command): void {
  addListen(program);
  addTail(program);
  addTrigger(program);
  addQuery(program);
  addDoctor(program);
  addDemo(program);
  addConnector(program);
  addCompletion(program);
}

function addListen(program: Command): void {
  withFeed(
    program
      .command('listen')
      .description(
        'Post live events, signed as webhooks, to an address of this machine, and show the answers',
      )
      .requiredOption('--forward-to <address>', 'such as http://localhost:3000/hooks')
      .option('--secret <secret>', 'the secret that signs (default: one that belongs to the key)'),
  )
    .addHelpText(
      'after',
      examples('listen', [
        ['--forward-to http://localhost:3000/hooks', 'Every event from now on'],
        [
          "--forward-to http://localhost:3000/hooks --events 'transaction.*' --replay-last 10",
          'Of the last ten events and all later ones, those of payments',
        ],
      ]),
    )
    .action(async (options: ListenOptions) => (await import('../run/listen.ts')).listen(options));
}

function addTail(program: Command): void {
  withFeed(program.command('tail').description('Print events as they happen, until Ctrl-C'))
    .addHelpText(
      'after',
      examples('tail', [
        ['--replay-last 20', 'The last twenty events, then every later one'],
        ["--events 'refund.*' --json", 'The payloads of refunds, a line each'],
      ]),
    )
    .action(async (options: FollowOptions) => (await import('../run/tail.ts')).tail(options));
}

function addTrigger(program: Command): void {
  withAccess(
    program
      .command('trigger')
      .description('Play a scene at a running sandbox: declined, challenged, refunded, disputed and more')
      .argument('[scene]', 'the name of a scene (default: print the list)'),
  )
    .addHelpText(
      'after',
      examples('trigger', [
        ['', 'The list of scenes'],
        ['refunded', 'A captured payment and its refund'],
        ['declined --json', 'The declined payment as JSON'],
      ]),
    )
    .action(async (scene: string | undefined, options: TriggerOptions) =>
      (await import('../run/trigger.ts')).trigger(scene, options),
    );
}

function addQuery(program: Command): void {
  withAccess(
    program
      .command('query')
      .description('Run a GraphQL document from a file, or from standard input')
      .argument('[file]', 'the file of the document (default: standard input)')
      .option('--variables <json>', "an object of JSON, or @ and a file's name")
      .option('--operation <name>', 'the operation to run, if the document has several'),
  )
    .addHelpText(
      'after',
      examples('query', [
        ['payments.graphql', 'A document in a file'],
        ['payment.graphql --variables \'{"id": "…"}\'', 'With variables'],
        ['payment.graphql --variables @payment.json --json', 'Variables from a file, and the whole response'],
      ]),
    )
    .action(async (file: string | undefined, options: QueryOptions) =>
      (await import('../run/query.ts')).runQuery(file, options),
    );
}

function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('Check configuration, database, clock, keys, public address and webhook endpoints')
    .option('--bundle <file>', 'also write a file for a support case, without secrets and personal data')
    .option('--log <files...>', 'with --bundle: add the latest errors of these logs; - reads standard input')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      examples('doctor', [
        ['', 'Every check'],
        ['--bundle support.json', 'Every check, and a file for a support case'],
        ['--bundle support.json --log api.log worker.log', 'The same, with the errors of two processes'],
        ['--json', 'The findings as JSON'],
      ]),
    )
    .action(async (options: DoctorOptions) => (await import('../run/doctor.ts')).doctor(options));
}

function addDemo(program: Command): void {
  program
    .command('demo')
    .description('Follow a payment from end to end against a running sandbox')
    .option(
      '--provider <name>',
      'instead tell the story of a connector to a provider: stripe, adyen, paypal, mollie, checkout or braintree',
    )
    .option('--record <file>', 'with --provider: write the steps to this file, as Markdown')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      examples('demo', [
        ['', 'Each step of a payment'],
        ['--provider stripe', "Stripe's story"],
        ['--json', 'The result as JSON'],
      ]),
    )
    .action(async (options: DemoOptions) => (await import('../run/demo.ts')).demo(options));
}

function addConnector(program: Command): void {
  program
    .command('connector')
    .description('Write the project of a new connector, with a double of its provider and contract tests')
    .addArgument(new Argument('<action>', 'what to do').choices(['new']))
    .argument('<name>', 'the name of the provider, such as acme-pay')
    .addHelpText('after', examples('connector', [['new acme-pay', 'The folder paygraph-acme-pay']]))
    .action(async (_action: string, name: string) =>
      (await import('../connector/connector.ts')).connector(name),
    );
}

function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('Print the script that completes commands in a shell')
    .argument('<shell>', 'bash, zsh or fish')
    .addHelpText(
      'after',
      '\nExamples:\n  # In bash, for this session\n  eval "$(paygraph completion bash)"\n  # In fish, for good\n' +
        '  paygraph completion fish > ~/.config/fish/completions/paygraph.fish',
    )
    .action(async (shell: string) => {
      const { completionFor } = await import('../run/completion.ts');
      console.log(completionFor(shell, program));
    });
}

const withFeed = (command: Command): Command =>
  withAccess(
    command
      .option('--events <names>', 'only these, with commas between, such as transaction.*,refund.succeeded')
      .option('--replay-last <count>', 'begin with so many past events'),
  );
