<?php
/**
 * The block and the shortcode: two ways to ask, one answer.
 *
 * @package Almanac
 */

namespace Almanac;

/** Without a text, a visitor sees nothing, and an author sees the reason. */
final class Display {
	const ATTRIBUTES = array(
		'operation' => 'daily-horoscope',
		'period'    => '',
		'sign'      => 'aries',
		'sign1'     => 'aries',
		'sign2'     => 'leo',
		'language'  => '',
		'sections'  => '',
		'level'     => 2,
		'title'     => true,
		'pictures'  => false,
	);

	/** With every request. */
	public static function register(): void {
		register_block_type_from_metadata(
			dirname( __DIR__ ) . '/blocks/reading',
			array( 'render_callback' => array( self::class, 'block' ) )
		);
		wp_set_script_translations( 'almanac-reading-editor-script', 'almanac' );
		add_shortcode( 'almanac', array( self::class, 'shortcode' ) );
		add_action( 'enqueue_block_editor_assets', array( self::class, 'editor_words' ) );
	}

	/**
	 * The block as a visitor sees it.
	 *
	 * @param array $attributes As the editor stored them.
	 */
	public static function block( array $attributes ): string {
		return self::shown( $attributes, 'get_block_wrapper_attributes' );
	}

	/**
	 * `[almanac sign="leo" period="weekly"]`.
	 *
	 * @param array|string $given As an author typed them.
	 */
	public static function shortcode( $given ): string {
		$attributes = shortcode_atts( self::ATTRIBUTES, $given, 'almanac' );
		return self::shown(
			$attributes,
			static function ( array $around ): string {
				$text = '';
				foreach ( array_merge( $around, array( 'class' => 'almanac-reading' ) ) as $name => $value ) {
					$text .= sprintf( ' %s="%s"', $name, esc_attr( $value ) );
				}
				return $text;
			}
		);
	}

	/** The choices in the editor. */
	public static function editor_words(): void {
		$data = array(
			'signs'      => Ask::signs(),
			'operations' => Ask::operations(),
			'languages'  => Languages::published(),
		);
		wp_add_inline_script( 'almanac-reading-editor-script', 'window.almanacWords = ' . wp_json_encode( $data, JSON_HEX_TAG | JSON_HEX_AMP ) . ';', 'before' );
	}

	/**
	 * The text, or the reason why there is none.
	 *
	 * @param array    $attributes Of the block or shortcode.
	 * @param callable $around     Makes the attributes of the element around it.
	 */
	private static function shown( array $attributes, callable $around ): string {
		$attributes = array_merge( self::ATTRIBUTES, array_filter( $attributes, 'is_scalar' ) );
		if ( '' === Settings::root() ) {
			return self::to_authors( __( 'The address of the site is not set yet: Settings, Almanac.', 'almanac' ) );
		}
		$language = Languages::chosen( (string) $attributes['language'] );
		if ( ! Languages::is_code( $language ) ) {
			/* translators: %s: what was given for a language */
			return self::to_authors( sprintf( __( 'There is no language "%s".', 'almanac' ), $language ) );
		}
		$ask = Ask::of( array_map( 'strval', $attributes ), $language );
		if ( is_string( $ask ) ) {
			return self::to_authors( $ask );
		}
		$text = Refresher::text( $ask, Ask::words( $language ) );
		if ( null === $text['data'] ) {
			$reason = '' === $text['reason'] ? Refresher::state()['reason'] : $text['reason'];
			/* translators: %s: the reason */
			return self::to_authors( sprintf( __( 'There is no text yet. %s', 'almanac' ), $reason ) );
		}
		$words = Languages::words( $language );
		$html  = Markup::of( $text['data'], $words, $language, self::options( $attributes ) );
		$style = Markup::style();
		$own   = array_merge( Languages::attributes( $language, $words['direction'] ), '' === $style ? array() : array( 'style' => $style ) );
		return '<div ' . trim( $around( $own ) ) . ">\n$html\n</div>";
	}

	private static function options( array $attributes ): array {
		return array(
			'level'    => min( 6, max( 1, (int) $attributes['level'] ) ),
			'sections' => preg_split( '/[\s,]+/', (string) $attributes['sections'], -1, PREG_SPLIT_NO_EMPTY ),
			'title'    => self::is_yes( $attributes['title'] ),
			'pictures' => self::is_yes( $attributes['pictures'] ),
		);
	}

	/**
	 * WordPress itself would take "no" for true.
	 *
	 * @param mixed $given Of the editor, or as an author typed it.
	 */
	private static function is_yes( $given ): bool {
		return true === filter_var( $given, FILTER_VALIDATE_BOOLEAN );
	}

	private static function to_authors( string $why ): string {
		return current_user_can( 'edit_posts' ) ? '<p class="almanac-note">' . esc_html( "Almanac: $why" ) . '</p>' : '';
	}
}
