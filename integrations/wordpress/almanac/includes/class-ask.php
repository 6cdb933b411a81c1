<?php
/**
 * What a block or a shortcode asks for, and the published file that has it.
 *
 * @package Almanac
 */

namespace Almanac;

/** Made of lists alone, so that nothing that somebody typed becomes part of an address. */
final class Ask {
	const SIGNS   = array( 'aries', 'taurus', 'gemini', 'cancer', 'leo', 'virgo', 'libra', 'scorpio', 'sagittarius', 'capricorn', 'aquarius', 'pisces' );
	const PERIODS = array( 'daily', 'weekly', 'monthly', 'yearly' );
	const CARDS   = array(
		'daily-tarot',
		'daily-tarot-legacy',
		'divine-angel-reading',
		'power-life-reading',
		'egyptian-prediction',
		'ex-flame-reading',
		'in-depth-love-reading',
		'past-present-future-reading',
		'love-triangle-reading',
		'wisdom-reading',
		'dream-come-true-reading',
		'erotic-love-reading',
		'past-lives-connection-reading',
	);
	const PAIR    = 'love-compatibility';

	/**
	 * Of the published file.
	 *
	 * @var string
	 */
	public $path;

	/**
	 * Which of the twelve in it, or nothing.
	 *
	 * @var string
	 */
	public $sign;

	public function __construct( string $path, string $sign = '' ) {
		$this->path = $path;
		$this->sign = $sign;
	}

	/** Which languages there are, and what each is called. */
	public static function index(): self {
		return new self( 'v1/index.json' );
	}

	/** Every operation that can be asked for, in the order in which the editor shows them. */
	public static function operations(): array {
		$horoscopes = array_map(
			static function ( string $period ): string {
				return "$period-horoscope";
			},
			self::PERIODS
		);
		return array_merge( $horoscopes, self::CARDS, array( self::PAIR ) );
	}

	/**
	 * What the attributes of a block or shortcode ask for, or a sentence for its author that says what is wrong with them.
	 *
	 * @param array  $attributes `operation`, or `period` for a horoscope; `sign`, or `sign1` and `sign2`.
	 * @param string $language   Of the text.
	 * @return self|string
	 */
	public static function of( array $attributes, string $language ) {
		$operation = $attributes['operation'];
		if ( '' !== $attributes['period'] ) {
			$operation = "{$attributes['period']}-horoscope";
		}
		if ( ! in_array( $operation, self::operations(), true ) ) {
			/* translators: 1: what was asked for, 2: a list of words */
			return sprintf( __( 'There is no operation "%1$s": take one of %2$s.', 'almanac' ), $operation, implode( ', ', self::operations() ) );
		}
		$signs = self::PAIR === $operation ? array( 'sign1', 'sign2' ) : array( 'sign' );
		foreach ( in_array( $operation, self::CARDS, true ) ? array() : $signs as $name ) {
			if ( ! in_array( $attributes[ $name ], self::SIGNS, true ) ) {
				/* translators: 1: the attribute's name, 2: a list of words */
				return sprintf( __( '"%1$s" has to be one of %2$s.', 'almanac' ), $name, implode( ', ', self::SIGNS ) );
			}
		}
		if ( self::PAIR === $operation ) {
			return new self( "v1/$language/$operation/{$attributes['sign1']}-{$attributes['sign2']}.json" );
		}
		if ( in_array( $operation, self::CARDS, true ) ) {
			return new self( "v1/$language/$operation/latest.json" );
		}
		$period = substr( $operation, 0, -strlen( '-horoscope' ) );
		return new self( "v1/$language/$period/latest.json", $attributes['sign'] );
	}
}
